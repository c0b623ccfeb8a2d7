import { useLocation } from '@tanstack/react-router';
import { useRights } from '../../access/use-rights.ts';
import { Brand } from '../../ui/frame/brand.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { AccountMenu } from './account-menu.tsx';
import { type Destination, foot, navigation } from './navigation.ts';
import classes from './navigation-bar.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

type Props = {
  readonly isIconsOnly: boolean;
  readonly isInDrawer?: boolean;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
};

const isMac = /mac/i.test(navigator.platform);

/** Grouped navigation. It omits pages that the user's permissions do not admit. */
export function Navigation({ isIconsOnly, isInDrawer = false, onPalette, onHelp }: Props) {
  const rights = useRights();
  const groups = navigation
    .map((group) => ({ ...group, items: group.items.filter((item) => item.need.admits(rights)) }))
    .filter((group) => group.items.length > 0);
  return (
    <div className={classes['bar']} data-icons={isIconsOnly}>
      {!isInDrawer && (
        <div className={classes['brand']}>
          <Brand isMarkOnly={isIconsOnly} />
        </div>
      )}
      <Hint label="Search or go to" side="right" isOff={!isIconsOnly}>
        <button
          type="button"
          className={classes['search']}
          onClick={onPalette}
          aria-label={isIconsOnly ? 'Search or go to' : undefined}
        >
          <Icon name="search" />
          {!isIconsOnly && <span className="truncate grow">Search or go to</span>}
          {!isIconsOnly && <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>}
        </button>
      </Hint>
      <nav aria-label="Main" className={classes['groups']}>
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label}>
            {isIconsOnly ? (
              <div className={classes['group']} />
            ) : (
              <h2 className={classes['group']}>{group.label}</h2>
            )}
            <ul>
              {group.items.map((item) => (
                <Item key={item.to} item={item} isIconsOnly={isIconsOnly} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className={classes['foot']}>
        <ul>
          {foot.map((item) => (
            <Item key={item.to} item={item} isIconsOnly={isIconsOnly} />
          ))}
          <li>
            <Hint label="Help" side="right" isOff={!isIconsOnly}>
              <button
                type="button"
                className={classes['item']}
                aria-haspopup="dialog"
                aria-label="Help"
                onClick={onHelp}
              >
                <Icon name="help" />
                {!isIconsOnly && <span className="grow">Help</span>}
                {!isIconsOnly && <kbd>?</kbd>}
              </button>
            </Hint>
          </li>
        </ul>
        <div className={classes['switches']}>
          <AccountMenu isIconsOnly={isIconsOnly} />
          <ThemeSwitch />
        </div>
      </div>
    </div>
  );
}

function Item({ item, isIconsOnly }: { readonly item: Destination; readonly isIconsOnly: boolean }) {
  const { pathname } = useLocation();
  const isPresent = pathname === item.to || pathname.startsWith(`${item.to}/`);
  const attributes = {
    className: classes['item'],
    'aria-current': isPresent ? ('page' as const) : undefined,
    'aria-label': isIconsOnly ? item.label : undefined,
  };
  const content = (
    <>
      <Icon name={item.icon} />
      {!isIconsOnly && <span className="truncate grow">{item.label}</span>}
      {!isIconsOnly && item.badge && <item.badge />}
      {!isIconsOnly && item.isBeside && <Icon name="out" size={12} />}
    </>
  );
  return (
    <li>
      <Hint label={item.label} side="right" isOff={!isIconsOnly}>
        {item.isBeside ? (
          <a href={item.to} {...attributes}>
            {content}
          </a>
        ) : (
          <Link to={item.to} {...attributes}>
            {content}
          </Link>
        )}
      </Hint>
    </li>
  );
}
