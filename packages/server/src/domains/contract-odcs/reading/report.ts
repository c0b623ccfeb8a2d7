/** A part of a document, by its JSON pointer, and what became of it. */
export type Note = { readonly path: string; readonly note: string };

/** What was read of a document, what is kept of it without being judged, and what was refused. */
export type Report = { readonly read: Note[]; readonly kept: Note[]; readonly refused: Note[] };

export const emptyReport = (): Report => ({ read: [], kept: [], refused: [] });
