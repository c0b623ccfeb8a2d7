import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';

const place = (id: number) => ({ table: 'repositories', column: 'token_sealed', rowId: id });

/** Tokens of repositories as they are stored: sealed, and bound to their repository. */
export type Tokens = {
  readonly seal: (id: number, token: string) => string;
  /** Undefined when the envelope does not open any more. */
  readonly open: (id: number, sealed: string) => string | undefined;
};

export const createTokens = (keys: KeyRing, random: Randomness): Tokens => ({
  seal: (id, token) => seal(keys, token, place(id), random),
  open: (id, sealed) => {
    const opened = open(keys, sealed, place(id));
    return opened.ok ? opened.secret.reveal() : undefined;
  },
});
