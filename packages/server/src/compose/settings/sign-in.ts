import type { Config } from '../../platform/config/index.ts';

export type UserSettings = ReturnType<typeof userSettings>;

/** Returns the settings of stored users and their passwords. */
export function userSettings(config: Config) {
  const areStored = config['Svc:UserManagement:Enabled'];
  return {
    /** True if the service stores users. Otherwise all users are the host's. */
    areStored,
    hasLocalLogin: areStored && config['Svc:UserManagement:LocalLogin:Enabled'],
    breakGlassUserNames: areStored ? config['Svc:UserManagement:LocalLogin:BreakGlassUserNames'] : [],
    externalLoginUrl: config['Svc:Authentication:ExternalLogin:LoginUrl'],
    setupToken: config['Svc:UserManagement:SetupToken'],
    passwordIterations: config['Svc:UserManagement:PasswordIterations'],
    passwordPolicy: {
      lengthMin: config['Svc:UserManagement:Password:MinimumPasswordLength'],
      requireComplexity: config['Svc:UserManagement:Password:RequirePasswordComplexity'],
    },
  };
}

const oidc = 'Svc:Authentication:Oidc';

/** Returns the single sign-on settings: admission and roles. */
export function singleSignOnSettings(config: Config) {
  return {
    isEnabled: config[`${oidc}:Enabled`],
    displayName: config[`${oidc}:DisplayName`],
    callbackPath: config[`${oidc}:CallbackPath`],
    hasFrontChannelLogout: config[`${oidc}:EnableFrontChannelLogout`],
    admission: {
      allowedTenants: config[`${oidc}:AllowedTenants`],
      allowAnyTenant: config[`${oidc}:AllowAnyTenant`],
      blockGuests: config[`${oidc}:BlockGuests`],
      requiredGroups: config[`${oidc}:RequiredGroups`],
      requiredRoles: config[`${oidc}:RequiredRoles`],
      requireMfa: config[`${oidc}:RequireMfa`],
      acceptedAcrValues: config[`${oidc}:AcceptedAcrValues`],
    },
    provisioning: {
      defaultRoleName: config[`${oidc}:DefaultRoleName`],
      idpRoles: config['Svc:Authorization:IdpRoles'],
    },
  };
}

/**
 * Prevents a start on which no user could ever sign in.
 *
 * @throws Error that names the setting.
 */
export function refuseLockout(config: Config, users: UserSettings): void {
  const isReachable =
    !users.areStored ||
    users.hasLocalLogin ||
    users.breakGlassUserNames.length > 0 ||
    config[`${oidc}:Enabled`] ||
    users.externalLoginUrl !== undefined;
  if (!isReachable)
    throw new Error(
      'The setting Svc:UserManagement:LocalLogin:Enabled must not be false while nobody could sign in otherwise: ' +
        'configure single sign-on, an external login, or Svc:UserManagement:LocalLogin:BreakGlassUserNames.',
    );
}
