import { viewerZone } from '../../lib/format.ts';

/** The time zones that can be chosen. */
export const zones = [...new Set(['UTC', viewerZone, ...Intl.supportedValuesOf('timeZone')])];
