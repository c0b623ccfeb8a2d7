/** How this browser likes to see things: pane sizes, columns, theme. Never anything secret. */
const prefix = 'svc.';

/** Undefined where nothing was saved, or where the browser keeps nothing. */
export function readPreference(name: string): string | undefined {
  try {
    return window.localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    // Storage is switched off in this browser: preferences last as long as the page.
    return undefined;
  }
}

export function savePreference(name: string, value: string): void {
  try {
    window.localStorage.setItem(prefix + name, value);
  } catch {
    // As above: the choice holds until the page is left.
  }
}
