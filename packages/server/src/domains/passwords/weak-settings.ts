import type { Logger } from '../../platform/log/index.ts';

/** OWASP recommendation for PBKDF2-SHA-256. */
const recommendedIterations = 600_000;
/** NIST SP 800-63B-4 minimum for passwords that are the only factor. */
const recommendedLength = 15;

/**
 * Logs the settings of local passwords that are below the recommendations. The specification gives the defaults.
 */
export function noteWeakPasswords(
  log: Logger,
  settings: { readonly iterations: number; readonly lengthMin: number; readonly hasSecondFactor: boolean },
): void {
  const { iterations, lengthMin } = settings;
  if (iterations < recommendedIterations)
    log.info(
      {
        setting: 'Svc:UserManagement:PasswordIterations',
        value: iterations,
        recommended: recommendedIterations,
      },
      'new password hashes use fewer iterations than recommended',
    );
  if (lengthMin < recommendedLength && !settings.hasSecondFactor)
    log.warn(
      {
        setting: 'Svc:UserManagement:Password:MinimumPasswordLength',
        value: lengthMin,
        recommended: recommendedLength,
      },
      'passwords are the only factor here and may be shorter than recommended',
    );
}
