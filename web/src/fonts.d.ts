/** Made by web/build/fonts.ts. */

declare module "virtual:fonts/first.js" {
  /** The characters of the fonts that every page loads. */
  export const first: string;
}

declare module "virtual:fonts/own.js" {
  /** The characters of the fonts for the client's own Japanese. */
  export const own: string;
}

declare module "virtual:fonts/*.css" {}
