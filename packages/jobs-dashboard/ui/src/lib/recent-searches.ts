const place = 'jobs-dashboard.searches';
const keptMax = 8;

/** Searches of this browser, the last one first. */
export function recentSearches(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, keptMax) : [];
  } catch {
    // A browser that keeps nothing, or keeps what is no list.
    return [];
  }
}

/** Keeps a search; one that was kept before comes first again. */
export function keepSearch(text: string): void {
  const kept = [text, ...recentSearches().filter((each) => each !== text)].slice(0, keptMax);
  try {
    localStorage.setItem(place, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing.
  }
}
