import { readPreference, savePreference } from '../../ui/frame/preference.ts';

/** Place in the documentation: a page, a requested heading, and the scroll position. */
export type Place = { readonly page: string; readonly anchor: string; readonly top: number };

/** Reading history. The present place is last. `screen` is the screen's page at the last opening of the drawer. */
export type Trail = { readonly screen: string; readonly places: readonly [Place, ...Place[]] };

const preference = 'help';
const placesMax = 20;

const placeAt = (page: string, anchor = ''): Place => ({ page, anchor, top: 0 });

export const presentPlace = ({ places }: Trail): Place => places.at(-1) ?? places[0];

/**
 * Opens the documentation on a screen: at the last place, or at the page of the screen if the screen has changed. The
 * previous place remains one step back.
 */
export function openTrail(screen: string, before: Trail | undefined): Trail {
  if (!before) return { screen, places: [placeAt(screen)] };
  if (before.screen === screen) return before;
  if (presentPlace(before).page === screen) return { ...before, screen };
  return goTo({ ...before, screen }, screen);
}

/** Returns the trail with a new place at the end. */
export function goTo({ screen, places }: Trail, page: string, anchor = ''): Trail {
  const [first, ...more] = places.slice(1 - placesMax);
  return { screen, places: first ? [first, ...more, placeAt(page, anchor)] : [placeAt(page, anchor)] };
}

/** Returns the trail without its last place. The first place remains. */
export function goBack(trail: Trail): Trail {
  const [first, ...more] = trail.places.slice(0, -1);
  return first ? { ...trail, places: [first, ...more] } : trail;
}

/** Returns the trail with the scroll position of the present page. */
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

/** Returns the trail that this browser stores. Undefined if none is stored or readable. */
export function savedTrail(): Trail | undefined {
  try {
    const { screen, places } = JSON.parse(readPreference(preference) ?? 'null') as Record<string, unknown>;
    if (typeof screen !== 'string' || !Array.isArray(places)) return undefined;
    const [first, ...more] = places.filter(isPlace).slice(-placesMax);
    return first && { screen, places: [first, ...more] };
  } catch {
    // Another version stored it, or the value is not valid.
    return undefined;
  }
}

export const saveTrail = (trail: Trail): void => savePreference(preference, JSON.stringify(trail));
