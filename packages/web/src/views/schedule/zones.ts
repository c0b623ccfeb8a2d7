import { browserZone } from '../../lib/format.ts';

/** The time zones that can be chosen. */
export const zones = [...new Set(['UTC', browserZone, ...Intl.supportedValuesOf('timeZone')])];
