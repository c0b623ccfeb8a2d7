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
  /** The same, whose time is over since yesterday. */
  readonly issueExpired: (...hosts: string[]) => Promise<TestCertificate>;
};

/** When a certificate begins and ends to hold, where it is not from now on. */
type Validity = { readonly notBeforeDate: Date; readonly notAfterDate: Date };

const dayMs = 86_400_000;

/** From as many days on, counted from now, and until as many. */
export function validFor(fromDays: number, untilDays: number): Validity {
  const now = Date.now();
  const after = (days: number) => new Date(now + days * dayMs);
  return { notBeforeDate: after(fromDays), notAfterDate: after(untilDays) };
}

const subject = (name: string) => [{ name: 'commonName', value: name }];

/** Makes an authority; every call makes another one that nobody trusts. */
export async function createTestAuthority(validity?: Validity): Promise<TestAuthority> {
  const authority = await generate(subject('Test authority'), {
    ...validity,
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const issue = async (hosts: readonly string[], until?: Validity): Promise<TestCertificate> => {
    const altNames = hosts.map((host) =>
      isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host },
    );
    const made = await generate(subject(hosts[0] ?? 'server'), {
      ...until,
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'subjectAltName', altNames },
      ],
    });
    return { cert: made.cert, key: made.private };
  };
  return {
    certificate: authority.cert,
    issue: (...hosts) => issue(hosts),
    issueExpired: (...hosts) => issue(hosts, validFor(-30, -1)),
  };
}
