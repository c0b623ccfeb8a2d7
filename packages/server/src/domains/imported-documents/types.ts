import { documentBytesMax, documentsMax, type LeftOutReason } from '@svc/contract';

export { documentBytesMax, documentsMax, type LeftOutReason };

/** A text that a source holds now. */
export type SourceDocument = {
  /** Its place below the source, with slashes; unique there. */
  readonly path: string;
  readonly content: string;
};

/** Where documents of a project come from: a folder of files, or a function of the host. */
export type DocumentSource = {
  /** The project's id, or its exact name where one live project alone has it. */
  readonly project: number | string;
  /** Tells this source from others of the project: its documents are archived when it is no longer given. */
  readonly name: string;
} & (
  | { readonly folder: string }
  | { readonly read: () => Promise<readonly SourceDocument[]> | readonly SourceDocument[] }
);

/** A document as it is stored. */
export type Document = SourceDocument & {
  readonly title: string;
  readonly hash: Buffer;
  readonly byteLength: number;
};

/** What was left out, and why; told in the log by its path alone. */
export type LeftOut = { readonly path: string; readonly reason: LeftOutReason };

export const pathLengthMax = 400;
