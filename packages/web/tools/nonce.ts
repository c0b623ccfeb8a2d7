/** Placeholder in the built index.html. The server replaces it with the nonce of each response. */
export const styleNoncePlaceholder = '__STYLE_NONCE__';
