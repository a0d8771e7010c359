/** Requests of pages to the site's frame. */

export const shell = $state({
  /** True if the page needs the whole window; the site's header is then hidden. */
  folded: location.pathname.startsWith("/table/"), // until its page decides
});
