import { useEffect, useState } from 'react';

/** Action that the present page, or the dialog above it, offers by a button. */
export type PageAction = { readonly label: string; readonly run: () => void };

/** Elements whose buttons are excluded. Rows, steps, tabs and texts have actions that their own keys reach. */
const excluded =
  'tr, li, nav, [role=row], [role=tablist], [role=grid], [role=listbox], [role=menu], .cm-editor';

/** Buttons that perform an action. Buttons that choose what the page shows are not included. */
const actionButtons = '.mantine-Button-root, .mantine-ActionIcon-root[aria-haspopup], [data-act]';

/** Label of the palette, which excludes its own dialog from the offered actions. */
export const paletteLabel = 'Search or go to';

function visibleButtons(): ReadonlyMap<string, HTMLElement> {
  const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(
    (dialog) => dialog.getAttribute('aria-label') !== paletteLabel && dialog.checkVisibility(),
  );
  const place = dialogs.at(-1) ?? document.getElementById('main');
  const nodesByLabel = new Map<string, HTMLElement>();
  for (const node of place?.querySelectorAll<HTMLElement>(actionButtons) ?? []) {
    const label = (node.getAttribute('aria-label') ?? node.textContent ?? '').trim();
    const isOff = node.matches(':disabled, [data-disabled], [aria-pressed]');
    if (label === '' || isOff || nodesByLabel.has(label) || node.closest(excluded) || !node.checkVisibility())
      continue;
    nodesByLabel.set(label, node);
  }
  return nodesByLabel;
}

const labels = (): readonly string[] => [...visibleButtons().keys()];

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
export function usePageActions(): readonly PageAction[] {
  const [shown, setShown] = useState(labels);
  useEffect(() => {
    const read = () => {
      const present = labels();
      setShown((before) => (`${before}` === `${present}` ? before : present));
    };
    const observer = new MutationObserver(read);
    observer.observe(document.body, changes);
    read();
    return () => observer.disconnect();
  }, []);
  return shown.map((label) => ({ label, run: () => click(label) }));
}

/**
 * Clicks the button with the label. It looks up the button again, because the page may have replaced the element since.
 */
function click(label: string): void {
  const button = visibleButtons().get(label);
  button?.focus();
  button?.click();
}
