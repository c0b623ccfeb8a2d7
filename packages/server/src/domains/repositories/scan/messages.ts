import type { FoundReference } from './find-references.ts';

/** Request that the child sends to the service, because it has no network. */
export type GitRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
};

/** Response to the child. A failed request ends the scan instead. */
export type GitResponse = {
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

/** Failures that the child detects. The service detects the others. */
export type ChildFailure = 'BranchNotFound' | 'NoGitServer' | 'Unreadable';

export type ToChild =
  | {
      readonly type: 'scan';
      readonly url: string;
      readonly branch: string;
      readonly folder: string;
      readonly tables: readonly string[];
    }
  | { readonly type: 'answer'; readonly answer: GitResponse };

export type FromChild =
  | { readonly type: 'request'; readonly request: GitRequest }
  | { readonly type: 'scanned'; readonly scanned: Scanned }
  | { readonly type: 'failed'; readonly failure: ChildFailure };
