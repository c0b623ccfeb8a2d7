import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** Certificate and key in PEM format. */
export type TestCertificate = { readonly cert: string; readonly key: string };

/** Private certificate authority for the servers of tests. */
export type TestAuthority = {
  /** Certificate of the authority, which clients must trust. */
  readonly certificate: string;
  /** Issues a server certificate for host names and IP addresses. */
  readonly issue: (...hosts: string[]) => Promise<TestCertificate>;
  /** Issues a server certificate that expired one day ago. */
  readonly issueExpired: (...hosts: string[]) => Promise<TestCertificate>;
};

/** Validity period of a certificate. */
type Validity = { readonly notBeforeDate: Date; readonly notAfterDate: Date };

const dayMs = 86_400_000;

/** Returns a validity period. Both bounds are days from now; negative values are in the past. */
export function validFor(fromDays: number, untilDays: number): Validity {
  const now = Date.now();
  const after = (days: number) => new Date(now + days * dayMs);
  return { notBeforeDate: after(fromDays), notAfterDate: after(untilDays) };
}

const subject = (name: string) => [{ name: 'commonName', value: name }];

/** Creates a new authority, which no client trusts yet. */
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
