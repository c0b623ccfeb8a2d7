import { describe, expect, it } from 'vitest';
import { tlsError } from './tls.ts';

const errorOf = (code: string) =>
  tlsError(Object.assign(new Error('the words of OpenSSL'), { code }), {
    host: 'db.example.org',
    tlsMode: 'VerifyFull',
  })?.message;

describe('the message of a failed TLS handshake', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'has expired'],
    ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ])('recommends a renewal for %s, and no other CA certificate', (code, text) => {
    expect(errorOf(code)).toContain(`The server's certificate ${text}.`);
    expect(errorOf(code)).toContain('renewed');
    expect(errorOf(code)).not.toContain('Give its CA certificate');
  });

  it('recommends a CA certificate if the issuer is unknown', () => {
    expect(errorOf('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toContain('Give its CA certificate');
  });

  it('is absent for errors of another kind', () => {
    expect(errorOf('ECONNREFUSED')).toBeUndefined();
    expect(errorOf('constructor')).toBeUndefined();
  });
});
