const place = 'jobs-dashboard.searches';
const keptMax = 8;

/** Returns the recent searches of this browser, newest first. */
export function recentSearches(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, keptMax) : [];
  } catch {
    // The browser has no storage, or the stored value is not a list.
    return [];
  }
}

/** Stores a search as the newest. Removes an earlier entry of the same search. */
export function keepSearch(text: string): void {
  const searches = [text, ...recentSearches().filter((each) => each !== text)].slice(0, keptMax);
  try {
    localStorage.setItem(place, JSON.stringify(searches));
  } catch {
    // A browser that keeps nothing.
  }
}
