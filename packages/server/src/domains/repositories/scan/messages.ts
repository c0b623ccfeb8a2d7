import type { FoundReference } from './find-references.ts';

/** A request that the child asks the service for: it has no network of its own. */
export type AskedRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
};

/** What came of it; the failure's word is the service's own. */
export type AnsweredRequest = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Scanned = {
  readonly commitId: string;
  readonly fileCount: number;
  readonly isCut: boolean;
  readonly references: readonly FoundReference[];
};

/** Failures that the child can tell by itself; the others are found out by the service. */
export type ChildFailure = 'BranchNotFound' | 'NoGitServer' | 'Unreadable';

export type ToChild =
  | {
      readonly type: 'scan';
      readonly url: string;
      readonly branch: string;
      readonly folder: string;
      readonly tables: readonly string[];
    }
  | { readonly type: 'answer'; readonly answer: AnsweredRequest };

export type FromChild =
  | { readonly type: 'request'; readonly request: AskedRequest }
  | { readonly type: 'scanned'; readonly scanned: Scanned }
  | { readonly type: 'failed'; readonly failure: ChildFailure };
