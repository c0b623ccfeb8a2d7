import { useEffect, useState } from 'react';

/** Action that the present page, or the dialog above it, offers by a button. */
export type PageAct = { readonly label: string; readonly run: () => void };

/** Elements whose buttons are excluded. Rows, steps, tabs and texts have actions that their own keys reach. */
const parts = 'tr, li, nav, [role=row], [role=tablist], [role=grid], [role=listbox], [role=menu], .cm-editor';

/** Buttons that perform an action. Buttons that choose what the page shows are not included. */
const acts = '.mantine-Button-root, .mantine-ActionIcon-root[aria-haspopup], [data-act]';

/** Label of the palette, which excludes its own dialog from the offered actions. */
export const paletteLabel = 'Search or go to';

function drawn(): ReadonlyMap<string, HTMLElement> {
  const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(
    (dialog) => dialog.getAttribute('aria-label') !== paletteLabel && dialog.checkVisibility(),
  );
  const place = dialogs.at(-1) ?? document.getElementById('main');
  const nodesByLabel = new Map<string, HTMLElement>();
  for (const node of place?.querySelectorAll<HTMLElement>(acts) ?? []) {
    const label = (node.getAttribute('aria-label') ?? node.textContent ?? '').trim();
    const isOff = node.matches(':disabled, [data-disabled], [aria-pressed]');
    if (label === '' || isOff || nodesByLabel.has(label) || node.closest(parts) || !node.checkVisibility())
      continue;
    nodesByLabel.set(label, node);
  }
  return nodesByLabel;
}

const labels = (): readonly string[] => [...drawn().keys()];

/** Changes of the page that show, hide, disable or rename a button. */
const changes: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['disabled', 'data-disabled', 'aria-label', 'aria-pressed'],
};

/**
 * Returns the actions of the present page: one for each visible, enabled button, under the button's label. The list
 * follows changes of the page, because a button may be disabled while its request is in progress.
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

/**
 * Clicks the button with the label. It looks up the button again, because the page may have replaced the element since.
 */
function act(label: string): void {
  const button = drawn().get(label);
  button?.focus();
  button?.click();
}
