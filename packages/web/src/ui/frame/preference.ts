/** Prefix of display preferences in this browser: pane sizes, columns, theme. Never store secrets under it. */
const prefix = 'svc.';

/** Returns a preference. Undefined if none is stored, or if the browser blocks storage. */
export function readPreference(name: string): string | undefined {
  try {
    return window.localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    // The browser blocks storage: preferences last until the page is left.
    return undefined;
  }
}

export function savePreference(name: string, value: string): void {
  try {
    window.localStorage.setItem(prefix + name, value);
  } catch {
    // As above: the choice applies until the page is left.
  }
}
