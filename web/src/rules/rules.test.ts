import type { Tokens } from "marked";
import { describe, expect, test } from "vitest";

import { serving } from "$test/server";
import { anchorOf, cited, headingAnchor, idOf, rulesOf, wordsOf } from "./rules";

const MARKDOWN = `# Rules

## About all

# First {first-game}

## RT 1 The deal

**RT 1.1** Deal all cards.

- **RT 1.2** See RT 1.1 and RT 9.9.
  - **RT 1.2a** A part of it.
- no rule

## Examples

Plain words.

# Second {second-game}

## K2 1 Other things
`;

async function read(game: string, text = MARKDOWN) {
  const asked = serving(() => ({ title: "A game", text }));
  const found = await rulesOf(game, "ja");
  expect(asked.map(({ path }) => path)).toEqual([`/api/games/${game}/rules?language=ja`]);
  return found;
}

describe("a rule book", () => {
  test("is the part of its game, with chapters and ids", async () => {
    const { title, book } = await read("first-game");
    expect(title).toBe("A game");
    expect(book.chapters).toEqual([
      { anchor: "RT-1", title: "RT 1 The deal" },
      { anchor: "Examples", title: "Examples" },
    ]);
    expect([...book.ids].sort()).toEqual(["RT 1", "RT 1.1", "RT 1.2", "RT 1.2a"]);
    expect(book.tokens.some((token) => token.type === "heading" && token.depth === 1)).toBe(false);
    expect(book.tokens.map(idOf).filter(Boolean)).toEqual(["RT 1.1"]);
  });

  test("shows the pictures that lie beside it, and no others", async () => {
    const { book } = await read("kingdoms", "# K {kingdoms}\n\n![a](table.svg)\n\n![b](no.svg)");
    const addresses = book.tokens.flatMap((token) =>
      token.type === "paragraph" ? [(token as Tokens.Paragraph).tokens[0] as Tokens.Image] : [],
    );
    expect(addresses.map(({ href }) => href)).toEqual([expect.stringMatching(/table\.svg/), ""]);
  });

  test("says what each of its rules says, wherever it stands", async () => {
    const { book } = await read("first-game");
    const said = (id: string) =>
      wordsOf(book.tokens, id)
        ?.map((token) => token.raw)
        .join("")
        .trim();
    expect(said("RT 1.1")).toBe("Deal all cards.");
    expect(said("RT 1.2")).toBe("See RT 1.1 and RT 9.9.");
    expect(said("RT 1.2a")).toBe("A part of it.");
    expect(wordsOf(book.tokens, "RT 9.9")).toBeNull();
  });

  test("of the last game goes to the end, and of a file with one game is all of it", async () => {
    expect([...(await read("second-game")).book.ids]).toEqual(["K2 1"]);
    expect((await read("other")).book.chapters.map((one) => one.title)).toEqual([
      "About all",
      "RT 1 The deal",
      "Examples",
      "K2 1 Other things",
    ]);
  });
});

test("what is cited is linked, if it is in the book", () => {
  const ids = new Set(["RT 1.1", "K2 1"]);
  expect(cited("See RT 1.1, not RT 9.9; K2 1", ids)).toEqual([
    { text: "See " },
    { text: "RT 1.1", id: "RT 1.1" },
    { text: ", not RT 9.9; " },
    { text: "K2 1", id: "K2 1" },
  ]);
  expect(cited("nothing", ids)).toEqual([{ text: "nothing" }]);
  expect(cited("", ids)).toEqual([]);
});

test("a heading is found by its id, or by its words", () => {
  expect(headingAnchor("RT 3.5a On the banks")).toBe("RT-3.5a");
  expect(headingAnchor("What is  needed")).toBe("What-is-needed");
  expect(anchorOf(" RT 3.5 ")).toBe("RT-3.5");
});
