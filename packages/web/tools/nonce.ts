/** Stands in the built index.html where the server writes the nonce of each answer. */
export const styleNoncePlaceholder = '__STYLE_NONCE__';
