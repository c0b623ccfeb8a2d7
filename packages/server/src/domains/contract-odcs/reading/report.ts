/** A part of a document by its JSON pointer, with the result for it. */
export type Note = { readonly path: string; readonly note: string };

/** Parts of a document that were read, retained without evaluation, or refused. */
export type Report = { readonly read: Note[]; readonly kept: Note[]; readonly refused: Note[] };

export const emptyReport = (): Report => ({ read: [], kept: [], refused: [] });
