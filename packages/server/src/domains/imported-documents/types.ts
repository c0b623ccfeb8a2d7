import { documentBytesMax, documentsMax, type LeftOutReason } from '@svc/contract';

export { documentBytesMax, documentsMax, type LeftOutReason };

/** A text of a source. */
export type SourceDocument = {
  /** Path below the source, with slashes; unique in the source. */
  readonly path: string;
  readonly content: string;
};

/** Source of documents of a project: a folder of files, or a function of the host. */
export type DocumentSource = {
  /** Id of the project, or its exact name if only one live project has it. */
  readonly project: number | string;
  /** Unique name in the project. Imports archive the documents of sources that are no longer configured. */
  readonly name: string;
} & (
  | { readonly folder: string }
  | { readonly read: () => Promise<readonly SourceDocument[]> | readonly SourceDocument[] }
);

/** A stored document. */
export type Document = SourceDocument & {
  readonly title: string;
  readonly hash: Buffer;
  readonly byteLength: number;
};

/** An omitted document, and the reason. The log contains only its path and the reason. */
export type LeftOut = { readonly path: string; readonly reason: LeftOutReason };

export const pathLengthMax = 400;
