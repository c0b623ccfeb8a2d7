import { setNonce } from 'get-nonce';

/**
 * The nonce that this page's policy admits for style elements. The build puts it on a meta element; scripts can
 * read it there as a property, while the attribute is hidden from selectors.
 */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Libraries that lock scrolling behind a dialog write a style element too, and ask here.
setNonce(styleNonce);
