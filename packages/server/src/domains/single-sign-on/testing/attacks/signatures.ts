import { createPublicKey } from 'node:crypto';
import { type Attack, header, refused } from './attack.ts';

/** Attacks on the signature of the ID token. */
export const signatureAttacks: Record<string, Attack> = {
  'a token without a signature (alg none)': refused((d) => {
    d.header['alg'] = 'none';
    d.signing.kind = 'none';
  }, /unexpected JWT "alg"/),
  'a token that says none but carries a signature': refused(header({ alg: 'none' }), /unexpected JWT "alg"/),
  'a signature by a key that is not published': refused((d, { otherKey }) => {
    d.signing.key = otherKey;
  }, /signature verification failed/),
  'HS256 with the public key as the secret': refused((d, { publicPem }) => {
    d.header['alg'] = 'HS256';
    d.signing = { kind: 'HS256', key: createPublicKey(publicPem) };
  }, /unexpected JWT "alg"/),
  'an algorithm that is not in the list': refused(header({ alg: 'RS512' }), /unexpected JWT "alg"/),
  'an unknown key id': refused(header({ kid: 'k2' }), /no applicable keys found/),
  'a key inside the header': refused((d, { otherKey }) => {
    delete d.header['kid'];
    d.header['jwk'] = createPublicKey(otherKey as never).export({ format: 'jwk' });
    d.signing.key = otherKey;
  }, /signature verification failed/),
  'a critical header that nobody knows': refused(
    header({ crit: ['exp2'], exp2: 1 }),
    /no JWT "crit" header parameter extensions/,
  ),
  'an unencoded payload': refused(
    header({ b64: false, crit: ['b64'] }),
    /no JWT "crit" header parameter extensions/,
  ),
};
