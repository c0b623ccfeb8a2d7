import { readPreference, savePreference } from '../../ui/frame/preference.ts';

/** A place in the documentation: a page, a heading that was asked for, and how far it was read. */
export type Place = { readonly page: string; readonly anchor: string; readonly top: number };

/** Where a reader was, the last place at the end, and the screen's page when the drawer was opened last. */
export type Trail = { readonly screen: string; readonly places: readonly [Place, ...Place[]] };

const preference = 'help';
const placesMax = 20;

const placeAt = (page: string, anchor = ''): Place => ({ page, anchor, top: 0 });

export const presentPlace = ({ places }: Trail): Place => places.at(-1) ?? places[0];

/**
 * Opens the documentation on a screen: where it was left, or at the page of the screen where that is another one than
 * the last time. What was read before is one step back.
 */
export function openTrail(screen: string, before: Trail | undefined): Trail {
  if (!before) return { screen, places: [placeAt(screen)] };
  if (before.screen === screen) return before;
  if (presentPlace(before).page === screen) return { ...before, screen };
  return goTo({ ...before, screen }, screen);
}

/** Goes to a page; the way back leads here. */
export function goTo({ screen, places }: Trail, page: string, anchor = ''): Trail {
  const [first, ...more] = places.slice(1 - placesMax);
  return { screen, places: first ? [first, ...more, placeAt(page, anchor)] : [placeAt(page, anchor)] };
}

/** One step back; at the first place there is none. */
export function goBack(trail: Trail): Trail {
  const [first, ...more] = trail.places.slice(0, -1);
  return first ? { ...trail, places: [first, ...more] } : trail;
}

/** Notes how far the present page was read. */
export function readTo({ screen, places }: Trail, top: number): Trail {
  const [first, ...more] = places.map((place, at) =>
    at === places.length - 1 ? { ...place, anchor: '', top } : place,
  );
  return { screen, places: first ? [first, ...more] : places };
}

const isPlace = (value: unknown): value is Place => {
  const { page, anchor, top } = (value ?? {}) as Record<string, unknown>;
  return typeof page === 'string' && typeof anchor === 'string' && typeof top === 'number';
};

/** What this browser remembers; undefined where it remembers nothing that can be read. */
export function savedTrail(): Trail | undefined {
  try {
    const { screen, places } = JSON.parse(readPreference(preference) ?? 'null') as Record<string, unknown>;
    if (typeof screen !== 'string' || !Array.isArray(places)) return undefined;
    const [first, ...more] = places.filter(isPlace).slice(-placesMax);
    return first && { screen, places: [first, ...more] };
  } catch {
    // Written by another version, or by nobody.
    return undefined;
  }
}

export const saveTrail = (trail: Trail): void => savePreference(preference, JSON.stringify(trail));
