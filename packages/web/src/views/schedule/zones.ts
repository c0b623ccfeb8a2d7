import { browserZone } from '../../lib/format.ts';

/** Time zones that a user can choose. */
export const zones = [...new Set(['UTC', browserZone, ...Intl.supportedValuesOf('timeZone')])];
