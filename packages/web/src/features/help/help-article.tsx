import { type MouseEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { hosted } from '../../lib/base.ts';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Markdown, type MarkdownParts } from '../../ui/text/markdown.tsx';
import classes from './help-drawer.module.css';
import { createAnchors, type HelpPage, readLink } from './help-page.ts';
import { helpPages } from './pages-of-build.ts';
import type { Place } from './trail.ts';

type Open = (page: string, anchor: string) => void;

type Props = {
  readonly page: HelpPage;
  readonly place: Place;
  /** True if the article receives the focus: the user followed a link to it. */
  readonly isFocused: boolean;
  readonly onOpen: Open;
  /** Receives the scroll position, in pixels from the top. */
  readonly onRead: (top: number) => void;
};

/** Returns the element id of a heading. The prefix prevents clashes with ids of the page below. */
const idOf = (anchor: string): string => `help-${anchor}`;

const paths: ReadonlySet<string> = new Set(helpPages.keys());

/** Returns the address of a documentation page, for a new tab. */
export const addressOf = (page: string, anchor: string): string =>
  hosted(`/svc/help/${page}${anchor === '' ? '' : `#${anchor}`}`);

/** Handles a click on a link inside the drawer. With a modifier key, the browser opens the page elsewhere. */
export function stayIn(event: MouseEvent, open: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}

/** Page of the documentation, scrolled to the reader's place. */
export function HelpArticle({ page, place, isFocused, onOpen, onRead }: Props) {
  const article = useRef<HTMLElement>(null);
  const tellOpen = useRef(onOpen);
  tellOpen.current = onOpen;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place; another is drawn anew
  useLayoutEffect(() => {
    const node = article.current;
    if (!node) return undefined;
    const heading = place.anchor === '' ? null : node.querySelector(`#${CSS.escape(idOf(place.anchor))}`);
    if (heading) heading.scrollIntoView({ block: 'start' });
    else node.scrollTop = place.top;
    if (isFocused) node.focus({ preventScroll: true });
    onRead(node.scrollTop);
    // Reports the last scroll position, because the pending report may not have run yet.
    return () => onRead(node.scrollTop);
  }, []);

  const body = useMemo(
    () => <Markdown text={page.text} parts={partsOf(page.path, (...to) => tellOpen.current(...to))} />,
    [page],
  );
  return (
    <article
      ref={article}
      className={classes['article']}
      aria-label={page.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled can be reached by key
      tabIndex={0}
      onScroll={(event) => onRead(event.currentTarget.scrollTop)}
    >
      {body}
    </article>
  );
}

function partsOf(from: string, open: Open): MarkdownParts {
  const anchorOf = createAnchors();
  return {
    headingId: (heading) => idOf(anchorOf(heading)),
    code: (text) => <Code text={text} />,
    link: (href, children) => <PageLink from={from} href={href} open={open} label={children} />,
  };
}

type LinkProps = {
  readonly from: string;
  readonly href: string;
  readonly open: Open;
  readonly label: readonly ReactNode[];
};

function PageLink({ from, href, open, label }: LinkProps) {
  const link = readLink(from, href, paths);
  switch (link.kind) {
    case 'page':
      return (
        <a
          href={addressOf(link.page, link.anchor)}
          onClick={(event) => stayIn(event, () => open(link.page, link.anchor))}
        >
          {label}
        </a>
      );
    case 'outside':
      return (
        <a href={link.href} target="_blank" rel="noreferrer noopener">
          {label} <Icon name="out" size={12} />
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      );
    case 'nowhere':
      return <>{label}</>;
  }
}

const Code = ({ text }: { readonly text: string }) => (
  <div className={classes['code']}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled can be reached by key */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton value={text.replace(/\n$/, '')} label="Copy code" />
  </div>
);
