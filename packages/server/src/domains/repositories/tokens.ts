import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';

const place = (id: number) => ({ table: 'repositories', column: 'token_sealed', rowId: id });

/** Encrypts and decrypts tokens of repositories. An envelope is bound to its repository. */
export type Tokens = {
  readonly seal: (id: number, token: string) => string;
  /** Returns undefined when the envelope cannot be opened. */
  readonly open: (id: number, sealed: string) => string | undefined;
};

export const createTokens = (keys: KeyRing, random: Randomness): Tokens => ({
  seal: (id, token) => seal(keys, token, place(id), random),
  open: (id, sealed) => {
    const opened = open(keys, sealed, place(id));
    return opened.ok ? opened.secret.reveal() : undefined;
  },
});
