/** Short sounds, synthesised in the browser; off until the player turns them on. */

import { settings } from "./settings.svelte";

/**
 * `card` wood on wood · `flip` paper · `reveal` a low drum · `turn` a plucked string ·
 * `swept` rain · `word` a knock, softly.
 */
export type Sound = "card" | "flip" | "reveal" | "turn" | "swept" | "word";

type Played = (at: AudioContext, out: AudioNode, when: number) => void;

const LOUDNESS = 0.4;
const APART = 0.16;
const MOST = 3;

let context: AudioContext | null = null;
let master: GainNode | null = null;
const noises = new Map<number, AudioBuffer>();

/** Browsers allow sound only after a user gesture; before that they only log warnings. */
function awake(): AudioContext | null {
  if (context === null) {
    if (!navigator.userActivation?.hasBeenActive) return null;
    context = new AudioContext();
    master = context.createGain();
    master.gain.value = LOUDNESS;
    master.connect(context.destination);
  }
  if (context.state === "suspended") context.resume().catch(() => undefined);
  return context;
}

/** Play a sound, if sounds are on. */
export function sound(name: Sound): void {
  sounds([name]);
}

/** Play sounds one after the other, each once. */
export function sounds(names: Iterable<Sound>): void {
  if (!settings.sound || document.hidden) return;
  const at = awake();
  if (at === null || master === null) return;
  const out = master;
  [...new Set(names)].slice(0, MOST).forEach((name, place) => {
    made[name](at, out, at.currentTime + 0.01 + place * APART);
  });
}

// Synthesis --------------------------------------------------------------------------------------

/** An envelope: an attack, immediate or delayed, then a decay. */
function swell(at: AudioContext, when: number, peak: number, rise: number, fall: number): GainNode {
  const gain = at.createGain();
  gain.gain.setValueAtTime(0.0001, when);
  gain.gain.exponentialRampToValueAtTime(peak, when + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, when + rise + fall);
  return gain;
}

function noise(at: AudioContext, seconds: number): AudioBufferSourceNode {
  let buffer = noises.get(seconds);
  if (!buffer) {
    buffer = at.createBuffer(1, Math.ceil(at.sampleRate * seconds), at.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let place = 0; place < samples.length; place += 1) samples[place] = Math.random() * 2 - 1;
    noises.set(seconds, buffer);
  }
  const source = at.createBufferSource();
  source.buffer = buffer;
  return source;
}

function filter(
  at: AudioContext,
  type: BiquadFilterType,
  frequency: number,
  sharpness = 1,
): BiquadFilterNode {
  const made = at.createBiquadFilter();
  made.type = type;
  made.frequency.value = frequency;
  made.Q.value = sharpness;
  return made;
}

function tone(
  at: AudioContext,
  out: AudioNode,
  when: number,
  [from, to]: readonly [number, number],
  [peak, fall]: readonly [number, number],
): void {
  const source = at.createOscillator();
  source.frequency.setValueAtTime(from, when);
  source.frequency.exponentialRampToValueAtTime(to, when + fall);
  source.connect(swell(at, when, peak, 0.002, fall)).connect(out);
  source.start(when);
  source.stop(when + fall + 0.05);
}

function rush(
  at: AudioContext,
  out: AudioNode,
  when: number,
  through: readonly BiquadFilterNode[],
  [peak, rise, fall]: readonly [number, number, number],
): void {
  const source = noise(at, Math.ceil((rise + fall) * 10) / 10);
  let last: AudioNode = source;
  for (const one of through) last = last.connect(one);
  last.connect(swell(at, when, peak, rise, fall)).connect(out);
  source.start(when);
}

/** A Karplus-Strong string: a burst of noise in a feedback loop that decays. */
function string(at: AudioContext, frequency: number, seconds: number): AudioBuffer {
  const buffer = at.createBuffer(1, Math.ceil(at.sampleRate * seconds), at.sampleRate);
  const samples = buffer.getChannelData(0);
  const period = Math.round(at.sampleRate / frequency);
  for (let place = 0; place < samples.length; place += 1) {
    if (place < period) {
      samples[place] = Math.random() * 2 - 1;
    } else {
      const before = samples[place - period] ?? 0;
      const beside = samples[place - period - 1] ?? before;
      samples[place] = (before * 0.7 + beside * 0.3) * 0.992;
    }
  }
  return buffer;
}

let plucked: AudioBuffer | null = null;

const made: Record<Sound, Played> = {
  card(at, out, when) {
    rush(at, out, when, [filter(at, "bandpass", 1700, 2.5)], [0.9, 0.001, 0.05]);
    tone(at, out, when, [920, 640], [0.35, 0.07]);
    tone(at, out, when, [310, 240], [0.3, 0.09]);
  },
  flip(at, out, when) {
    const through = [filter(at, "highpass", 2600), filter(at, "lowpass", 9000)];
    rush(at, out, when, through, [0.35, 0.07, 0.06]);
  },
  reveal(at, out, when) {
    tone(at, out, when, [128, 52], [1, 0.7]);
    rush(at, out, when, [filter(at, "lowpass", 420)], [0.7, 0.002, 0.09]);
  },
  turn(at, out, when) {
    plucked ??= string(at, 293.7, 1.1);
    const source = at.createBufferSource();
    source.buffer = plucked;
    const body = filter(at, "peaking", 1400, 1.2);
    body.gain.value = 7;
    source
      .connect(body)
      .connect(swell(at, when, 0.5, 0.001, 1))
      .connect(out);
    rush(at, out, when, [filter(at, "bandpass", 2400, 3)], [0.3, 0.001, 0.02]);
    source.start(when);
  },
  swept(at, out, when) {
    const through = [filter(at, "highpass", 1400), filter(at, "lowpass", 7500)];
    rush(at, out, when, through, [0.28, 0.35, 1]);
  },
  word(at, out, when) {
    tone(at, out, when, [520, 430], [0.22, 0.09]);
    tone(at, out, when + 0.11, [640, 540], [0.18, 0.09]);
  },
};
