import { ActionIcon, Button, Drawer, TextInput } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { hosted } from '../../lib/base.ts';
import { paths } from '../../lib/paths.ts';
import { useFocusBack } from '../../ui/form/focus-back.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { HelpArticle } from './help-article.tsx';
import classes from './help-drawer.module.css';
import { HelpHits } from './help-hits.tsx';
import { contentsPath } from './help-page.ts';
import { helpPageOf, helpPages } from './pages-of-build.ts';
import { pageOfScreen } from './screens.ts';
import { createHelpSearch, type HelpHit } from './search-help.ts';
import { goBack, goTo, openTrail, presentPlace, readTo, savedTrail, saveTrail, type Trail } from './trail.ts';

type Props = {
  readonly onClose: () => void;
  readonly onKeys: () => void;
};

let search: ReturnType<typeof createHelpSearch> | undefined;

/** Searches the documentation. The first call creates the index; later calls reuse it. */
function searchHelp(text: string): readonly HelpHit[] {
  search ??= createHelpSearch(helpPages.values());
  return search(text);
}

/** False on touch devices: a focused field would open their keyboard over the page. */
const hasKeyboard = !window.matchMedia('(pointer: coarse)').matches;

/** Drawer with the documentation of this build. It opens at the last place, or at the page of the present screen. */
export function HelpDrawer({ onClose, onKeys }: Props) {
  const { pathname } = useLocation();
  const id = useId();
  useFocusBack(id);
  const [text, setText] = useState('');
  const [trail, setTrail] = useState<Trail>(() => openTrail(pageOfScreen(pathname), savedTrail()));
  const readTop = useRef(presentPlace(trail).top);
  const present = useRef(trail);
  present.current = trail;
  useEffect(() => () => saveTrail(readTo(present.current, readTop.current)), []);

  const go = (next: (trail: Trail) => Trail) => {
    setTrail((before) => next(readTo(before, readTop.current)));
    setText('');
  };
  const open = (page: string, anchor: string) => go((before) => goTo(before, page, anchor));
  const place = presentPlace(trail);
  const page = helpPageOf(place.page);
  const wanted = text.trim();
  const hits = useMemo(() => (wanted === '' ? [] : searchHelp(wanted)), [wanted]);
  const list = useRef<HTMLUListElement>(null);

  return (
    <Drawer
      opened
      id={id}
      returnFocus={false}
      onClose={onClose}
      position="right"
      size={640}
      padding={0}
      title="Help"
      classNames={{ content: classes['content'], header: classes['header'], body: classes['body'] }}
      // The page already has a banner, so the drawer's header must not be a second banner.
      attributes={{ header: { role: 'presentation' } }}
    >
      <div className={classes['tools']}>
        <Hint label="Back">
          <ActionIcon
            aria-label="Back to the page before"
            disabled={trail.places.length === 1}
            onClick={() => go(goBack)}
          >
            <Icon name="left" />
          </ActionIcon>
        </Hint>
        <TextInput
          className="grow"
          type="search"
          aria-label="Search the documentation"
          placeholder="Search the documentation"
          {...(hasKeyboard && { 'data-autofocus': true })}
          // Escape first clears the text. The next press closes the drawer.
          data-mantine-stop-propagation={text !== '' || undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') setText('');
            else if (event.key === 'Enter' && hits[0]) open(hits[0].page, hits[0].anchor);
            else if (event.key === 'ArrowDown') list.current?.querySelector('a')?.focus();
            else return;
            event.preventDefault();
          }}
          leftSection={<Icon name="search" />}
        />
        <Button
          variant="subtle"
          disabled={place.page === contentsPath}
          onClick={() => open(contentsPath, '')}
        >
          All pages
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            onClose();
            onKeys();
          }}
        >
          Keyboard shortcuts
        </Button>
      </div>
      {wanted === '' ? (
        <HelpArticle
          key={`${trail.places.length} ${place.page}#${place.anchor}`}
          page={page}
          place={place}
          isFocused={trail.places.length > 1}
          onOpen={open}
          onRead={(top) => {
            readTop.current = top;
          }}
        />
      ) : (
        <HelpHits list={list} hits={hits} wanted={wanted} onOpen={open} />
      )}
      <footer className={classes['foot']}>
        <Link to={paths.about()} onClick={onClose}>
          About this version
        </Link>
        <a href={hosted('/svc/help/errors')}>What errors mean</a>
      </footer>
    </Drawer>
  );
}
