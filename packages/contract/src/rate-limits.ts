/** At most `quota` calls per window of `windowSeconds`, over all replicas, for each value of `per`. */
export type RateLimitPolicy = {
  /** Name in the `RateLimit` headers and in the stored counters. */
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly per: 'client address' | 'user' | 'data source';
};

export const rateLimits = {
  signIn: { name: 'sign-in', quota: 10, windowSeconds: 60, per: 'client address' },
  singleSignOn: { name: 'sso-challenge', quota: 30, windowSeconds: 60, per: 'client address' },
  setup: { name: 'setup', quota: 10, windowSeconds: 60, per: 'client address' },
  changePassword: { name: 'change-password', quota: 10, windowSeconds: 60, per: 'user' },
  refreshMetadata: { name: 'refresh-metadata', quota: 1, windowSeconds: 30, per: 'data source' },
} as const satisfies Readonly<Record<string, RateLimitPolicy>>;
