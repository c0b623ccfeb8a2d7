import type { ScanFailure } from '@svc/contract';

/** Meaning of each scan failure, with the next step. */
export const scanFailureTexts: Readonly<Record<ScanFailure, string>> = {
  NotReached: 'The server could not be reached',
  NotAllowed: 'The server may not be reached from here',
  TokenRefused: 'The server wants another token',
  NotFound: 'There is no such repository',
  Redirected: 'The server leads elsewhere: enter that address',
  NoGitServer: 'No git server answers there',
  BranchNotFound: 'There is no such branch',
  TooLarge: 'The repository is too large to be read',
  TooLong: 'Reading took too long',
  Unreadable: 'What the server sent could not be read',
};
