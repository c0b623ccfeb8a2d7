import { useEffect, useState } from 'react';

/** An act that the present page, or the dialog over it, offers by a button. */
export type PageAct = { readonly label: string; readonly run: () => void };

/** Rows, steps, tabs and texts have acts of their own, which their keys reach. */
const parts = 'tr, li, nav, [role=row], [role=tablist], [role=grid], [role=listbox], [role=menu], .cm-editor';

/** Buttons that do something, as against those that choose what is shown. */
const acts = '.mantine-Button-root, .mantine-ActionIcon-root[aria-haspopup], [data-act]';

/** The palette's own name, so that it does not offer itself. */
export const paletteLabel = 'Search or go to';

function drawn(): ReadonlyMap<string, HTMLElement> {
  const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(
    (dialog) => dialog.getAttribute('aria-label') !== paletteLabel && dialog.checkVisibility(),
  );
  const place = dialogs.at(-1) ?? document.getElementById('main');
  const found = new Map<string, HTMLElement>();
  for (const node of place?.querySelectorAll<HTMLElement>(acts) ?? []) {
    const label = (node.getAttribute('aria-label') ?? node.textContent ?? '').trim();
    const isOff = node.matches(':disabled, [data-disabled], [aria-pressed]');
    if (label === '' || isOff || found.has(label) || node.closest(parts) || !node.checkVisibility()) continue;
    found.set(label, node);
  }
  return found;
}

const labels = (): readonly string[] => [...drawn().keys()];

/** What the page changes in a button that comes, goes, is off or says something else. */
const changes: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['disabled', 'data-disabled', 'aria-label', 'aria-pressed'],
};

/**
 * What can be done on the present page: each button that it shows, under the words on it. Read anew as the page
 * changes: a button may be off while what it did before is on its way.
 */
export function usePageActs(): readonly PageAct[] {
  const [offered, setOffered] = useState(labels);
  useEffect(() => {
    const read = () => {
      const present = labels();
      setOffered((before) => (`${before}` === `${present}` ? before : present));
    };
    const observer = new MutationObserver(read);
    observer.observe(document.body, changes);
    read();
    return () => observer.disconnect();
  }, []);
  return offered.map((label) => ({ label, run: () => act(label) }));
}

/** Buttons are found again: the page may have been drawn anew since they were listed. */
function act(label: string): void {
  const button = drawn().get(label);
  button?.focus();
  button?.click();
}
