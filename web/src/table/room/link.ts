/** The link of a table, for sending to others. */

import { settings } from "$web/shared/settings.svelte";

/** It contains the table's key, and in Japanese the language of the link preview. */
export function linkTo(table: string, key: string | null): string {
  const address = new URL(`/table/${table}`, location.origin);
  if (key) address.searchParams.set("key", key);
  if (settings.language !== "en") address.searchParams.set("language", settings.language);
  return address.href;
}
