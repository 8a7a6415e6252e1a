import { ANY_CATEGORY } from '../../core/catalog/any-category.ts';
import { inLanguage, nameIn } from '../../core/catalog/category-names.ts';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { CategoryRow } from '../../core/catalog/queries.ts';
import type { MessageData } from '../../core/delivery/compose-message.ts';
import { presentMessage } from '../../core/delivery/show-message.ts';
import type { Deps } from '../../core/deps.ts';
import { type Face, pageFace, shownSender } from '../../core/face/face.ts';
import { findFace } from '../../core/face/find-face.ts';
import { choicesOf } from '../../core/gifts/claim/choose-category.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { readSendTime } from '../../core/gifts/place/send-time.ts';
import { showProgram } from '../../core/organizations/set-program.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { DAY_MS, startOfDay } from '../../platform/base/id-time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { disclosure } from '../../platform/languages/disclosure.ts';
import { chooseLanguage } from '../../platform/languages/languages.ts';
import { type Words, wordsOf } from '../../platform/languages/words.ts';
import { plainMessage } from '../../platform/messaging/plain-name.ts';
import { openedPage } from './page.ts';

/** A gift that is being written. */
export interface GiftDraft
  extends Pick<GiftInputBody, 'amount' | 'category' | 'language' | 'send_at'>,
    NonNullable<GiftInputBody['personalization']> {
  method: GiftInputBody['delivery']['method'];
}

interface GiftPreview {
  /** Null for a link gift, which sends none. */
  message: ReturnType<typeof presentMessage> | null;
  /** The recipient's page, unwrapped. */
  page: string;
  /** On the page. */
  artworks: readonly (string | null)[];
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

type PreviewDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'publicUrl'>;

/**
 * Renders the message and the page of a gift that is not bought, with the templates of real ones.
 *
 * @param face instead of the organization's own
 * @throws BestowError `parameter_invalid` for a category that cannot be bought, or a time that cannot be chosen
 */
export async function previewGift(
  deps: PreviewDeps,
  scope: Scope,
  organizationName: string,
  draft: GiftDraft,
  face?: Face,
): Promise<GiftPreview> {
  const [categories, program, brand] = await Promise.all([
    listCategories(deps),
    showProgram(deps, scope.organizationId),
    face ?? findFace(deps, scope.organizationId),
  ]);
  const category = categories.find(
    ({ category_id, retired_at }) => category_id === draft.category && retired_at === null,
  );
  if (category === undefined)
    throw new BestowError('parameter_invalid', { param: 'category', message: 'category is not in the catalog.' });
  const sentAt = sendTimeOf(deps, draft);
  const days = program.unclaimed_after_days;
  const row = {
    sender_name: draft.sender_name ?? organizationName,
    recipient_name: draft.recipient_name ?? null,
    message: draft.message ?? null,
    amount_cents: draft.amount,
    shown_category_id: category.category_id,
    category_name: category.name,
    category_names: category.names,
    artwork: category.artwork,
    expires_at: days === null ? null : expiryAfter(sentAt.getTime(), days),
    program: program.program,
    organization_name: organizationName,
    messages_show_value: program.messages_show_value,
    language: draft.language ?? null,
    organization_language: program.language,
    brand,
  };
  const words = wordsOf(chooseLanguage([row.language, row.organization_language], undefined));
  const choice = choiceOf(category, categories, words);
  const lastDay = row.expires_at === null ? undefined : words.lastDay(row.expires_at);
  return {
    message: draft.method === 'link' ? null : presentMessage(deps, { ...messageOf(scope, draft.method), ...row }),
    page: openedPage({
      words,
      isTried: true,
      basePath: { token: 'preview', isAnswer: false },
      giftId: encodeId('gift', NO_ID),
      organizationName,
      senderName: shownSender(row.sender_name, organizationName, brand),
      face: pageFace(brand, organizationName),
      recipientName: row.recipient_name ?? undefined,
      note: row.message === null ? undefined : plainMessage(row.message),
      amountCents: row.amount_cents,
      categoryName: nameIn(words.language, row),
      artwork: row.artwork,
      choice,
      currency: deps.config.currency,
      isSandbox: scope.environment === 'sandbox',
      lastDay,
      disclosure: disclosure(words, program.program, lastDay),
      asksWayBack: draft.method === 'link',
    }),
    artworks: [category.artwork, ...(choice?.offered.map(({ artwork }) => artwork) ?? [])],
  };
}

const choiceOf = ({ category_id }: CategoryRow, categories: readonly CategoryRow[], { language }: Words) =>
  category_id === ANY_CATEGORY
    ? { offered: choicesOf(categories).map((category) => inLanguage(language, category)), chosenId: null }
    : undefined;

function sendTimeOf({ clock }: Pick<Deps, 'clock'>, { send_at }: GiftDraft): Date {
  const now = new Date(clock.now());
  const sentAt = send_at === undefined ? now : readSendTime(send_at, now);
  if (typeof sentAt === 'string')
    throw new BestowError('parameter_invalid', { param: 'send_at', message: `send_at ${sentAt}.` });
  return sentAt;
}

/** The end of a day in UTC, as the statement that places orders decides it. */
const expiryAfter = (sentAtMs: number, days: number) => new Date(startOfDay(sentAtMs + (days + 1) * DAY_MS));

const messageOf = ({ organizationId, environment }: Scope, channel: 'email' | 'phone') =>
  ({
    organization_id: organizationId,
    environment,
    gift_id: NO_ID,
    delivery_id: NO_ID,
    channel,
    address: '',
    link_version: 1,
    link_expires_at: new Date(0),
    reminder_day: null,
  }) satisfies Partial<MessageData>;
