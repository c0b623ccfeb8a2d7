import { ActionIcon, Button, Drawer, TextInput } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type RefObject, useId, useMemo, useRef, useState } from 'react';
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
import { useHelpTrail } from './use-help-trail.ts';

type Props = {
  readonly onClose: () => void;
  readonly onKeys: () => void;
};

let helpSearch: ReturnType<typeof createHelpSearch> | undefined;

/** Searches the documentation. The first call creates the index; later calls reuse it. */
function searchHelp(text: string): readonly HelpHit[] {
  helpSearch ??= createHelpSearch(helpPages.values());
  return helpSearch(text);
}

/** False on touch devices: a focused field would open their keyboard over the page. */
const hasKeyboard = !window.matchMedia('(pointer: coarse)').matches;

/** Drawer with the documentation of this build. It opens at the last place, or at the page of the present screen. */
export function HelpDrawer({ onClose, onKeys }: Props) {
  const { pathname } = useLocation();
  const id = useId();
  useFocusBack(id);
  const [text, setText] = useState('');
  const trail = useHelpTrail(pageOfScreen(pathname));
  const { place } = trail;
  const open = (page: string, anchor: string) => {
    trail.open(page, anchor);
    setText('');
  };
  const back = () => {
    trail.back();
    setText('');
  };
  const openKeys = () => {
    onClose();
    onKeys();
  };
  const search = text.trim();
  const hits = useMemo(() => (search === '' ? [] : searchHelp(search)), [search]);
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
        <BackButton isDisabled={trail.depth === 1} onBack={back} />
        <SearchField text={text} onText={setText} firstHit={hits[0]} onOpen={open} list={list} />
        <Button
          variant="subtle"
          disabled={place.page === contentsPath}
          onClick={() => open(contentsPath, '')}
        >
          All pages
        </Button>
        <Button variant="subtle" onClick={openKeys}>
          Keyboard shortcuts
        </Button>
      </div>
      {search === '' ? (
        <HelpArticle
          key={`${trail.depth} ${place.page}#${place.anchor}`}
          page={helpPageOf(place.page)}
          place={place}
          isFocused={trail.depth > 1}
          onOpen={open}
          onRead={trail.noteTop}
        />
      ) : (
        <HelpHits list={list} hits={hits} search={search} onOpen={open} />
      )}
      <Footer onClose={onClose} />
    </Drawer>
  );
}

const Footer = ({ onClose }: { readonly onClose: () => void }) => (
  <footer className={classes['foot']}>
    <Link to={paths.about()} onClick={onClose}>
      About this version
    </Link>
    <a href={hosted('/svc/help/errors')}>What errors mean</a>
  </footer>
);

type BackProps = { readonly isDisabled: boolean; readonly onBack: () => void };

const BackButton = ({ isDisabled, onBack }: BackProps) => (
  <Hint label="Back">
    <ActionIcon aria-label="Back to the page before" disabled={isDisabled} onClick={onBack}>
      <Icon name="left" />
    </ActionIcon>
  </Hint>
);

type SearchProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly firstHit: HelpHit | undefined;
  readonly onOpen: (page: string, anchor: string) => void;
  /** List of hits. The key ArrowDown focuses its first link. */
  readonly list: RefObject<HTMLUListElement | null>;
};

function SearchField({ text, onText, firstHit, onOpen, list }: SearchProps) {
  return (
    <TextInput
      className="grow"
      type="search"
      aria-label="Search the documentation"
      placeholder="Search the documentation"
      {...(hasKeyboard && { 'data-autofocus': true })}
      // Escape first clears the text. The next press closes the drawer.
      data-mantine-stop-propagation={text !== '' || undefined}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') onText('');
        else if (event.key === 'Enter' && firstHit) onOpen(firstHit.page, firstHit.anchor);
        else if (event.key === 'ArrowDown') list.current?.querySelector('a')?.focus();
        else return;
        event.preventDefault();
      }}
      leftSection={<Icon name="search" />}
    />
  );
}
