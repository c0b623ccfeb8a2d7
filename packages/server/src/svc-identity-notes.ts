import type { Config } from './platform/config/index.ts';
import type { Logger } from './platform/log/index.ts';

/** What OWASP recommends for PBKDF2-SHA-256. */
const recommendedIterations = 600_000;
/** What NIST SP 800-63B-4 asks of passwords that are the only factor. */
const recommendedLength = 15;

/** Says once at start what is weaker than it could be; the defaults are those of the specification. */
export function noteWeakSettings(config: Config, log: Logger): void {
  if (!config['Svc:UserManagement:Enabled'] || !config['Svc:UserManagement:LocalLogin:Enabled']) return;
  const iterations = config['Svc:UserManagement:PasswordIterations'];
  if (iterations < recommendedIterations)
    log.info(
      {
        setting: 'Svc:UserManagement:PasswordIterations',
        value: iterations,
        recommended: recommendedIterations,
      },
      'new password hashes use fewer iterations than recommended',
    );
  const length = config['Svc:UserManagement:Password:MinimumPasswordLength'];
  const hasSecondFactor =
    config['Svc:Authentication:Oidc:Enabled'] && config['Svc:Authentication:Oidc:RequireMfa'];
  if (length < recommendedLength && !hasSecondFactor)
    log.warn(
      {
        setting: 'Svc:UserManagement:Password:MinimumPasswordLength',
        value: length,
        recommended: recommendedLength,
      },
      'passwords are the only factor here and may be shorter than recommended',
    );
}
