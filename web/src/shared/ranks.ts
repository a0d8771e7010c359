/** Ordinals and numbers as people write them. */

import { t } from "./i18n.svelte";
import { settings } from "./settings.svelte";

const english = new Intl.PluralRules("en", { type: "ordinal" });

/** 1st, 2nd, 3rd. */
export function placeText(rank: number): string {
  switch (english.select(rank)) {
    case "one":
      return t("rank.one", { rank });
    case "two":
      return t("rank.two", { rank });
    case "few":
      return t("rank.few", { rank });
    default:
      return t("rank.other", { rank });
  }
}

/** A number with this many decimals. */
export function numberText(value: number, digits = 1): string {
  return value.toLocaleString(settings.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: "negative",
  });
}
