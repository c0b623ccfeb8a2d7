import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** A certificate and its key as PEM texts. */
export type TestCertificate = { readonly cert: string; readonly key: string };

/** A private authority that issues certificates for servers of tests. */
export type TestAuthority = {
  /** The authority's own certificate, to be trusted. */
  readonly certificate: string;
  /** A server certificate for host names and addresses. */
  readonly issue: (...hosts: string[]) => Promise<TestCertificate>;
};

const subject = (name: string) => [{ name: 'commonName', value: name }];

/** Makes an authority; every call makes another one that nobody trusts. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const authority = await generate(subject('Test authority'), {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    certificate: authority.cert,
    issue: async (...hosts) => {
      const altNames = hosts.map((host) =>
        isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host },
      );
      const made = await generate(subject(hosts[0] ?? 'server'), {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'subjectAltName', altNames },
        ],
      });
      return { cert: made.cert, key: made.private };
    },
  };
}
