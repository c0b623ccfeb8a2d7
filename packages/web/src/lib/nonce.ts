import { setNonce } from 'get-nonce';

/**
 * Nonce that this page's policy admits for style elements. The build sets it on a meta element. Scripts read the
 * property, because browsers hide the attribute.
 */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Libraries that lock scrolling behind a dialog also write a style element. They read the nonce here.
setNonce(styleNonce);
