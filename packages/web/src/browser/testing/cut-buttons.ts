import type { Page } from 'playwright-core';

/**
 * Returns the partly hidden buttons of a page: an ancestor clips them, or their text does not fit. A scrolling ancestor
 * does not hide them, because the user can scroll.
 */
const script = `[...document.querySelectorAll('button, a.mantine-Button-root, [role="button"]')].flatMap((button) => {
  if (!button.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  const box = button.getBoundingClientRect();
  if (box.width <= 1 || box.height <= 1) return [];
  const name = button.getAttribute('aria-label') ?? button.innerText;
  const label = button.querySelector('.mantine-Button-label');
  if (label && label.scrollWidth > label.clientWidth + 1) return [name + ': its words do not fit'];
  for (let parent = button.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    const { overflowX, overflowY, clip } = getComputedStyle(parent);
    const edge = parent.getBoundingClientRect();
    if (clip !== 'auto' || edge.width <= 1) return [];
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const isScrolled = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    if (isScrolled) return [];
    const isCut =
      (hides(overflowX) && (box.left < edge.left - 1 || box.right > edge.right + 1)) ||
      (hides(overflowY) && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1));
    if (isCut) return [name + ': cut by ' + parent.tagName.toLowerCase() + '.' + parent.className];
  }
  return [];
})`;

/** Returns one line for each partly hidden button. */
export const cutButtons = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate(script)) as readonly string[];
