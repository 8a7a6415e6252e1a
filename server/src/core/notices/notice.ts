import type { RoleId } from '../../platform/authentication/roles.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Language } from '../../platform/languages/languages.ts';

/** A created, revoked or replaced key, for the mail to every admin. */
export interface KeyNoticeDetails {
  organization_name: string;
  key_name: string;
  /** The prefix and the last four characters. */
  key_hint: string;
  environment: Environment;
  /** ISO 8601; undefined if the key does not expire. */
  expires_at?: string;
  /** The only networks that may use the key; undefined: all. */
  networks?: string[];
  /** The hint of the key that was replaced, and until when it works. */
  replaced_hint?: string;
  replaced_until?: string;
  /** Such as `ada@example.com` or `the operator (root)`. */
  by: string;
  /** The client's IP address, or the host of the command. */
  from: string;
  /** ISO 8601. */
  at: string;
}

/** A change of who may do what. */
export type AccessChange =
  | 'admin_invited'
  | 'admin_added'
  | 'role_admin'
  | 'role_member'
  | 'role_changed'
  | 'member_activated'
  | 'second_factor_required'
  | 'second_factor_optional'
  | 'device_added'
  | 'sign_in_added'
  | 'sign_in_reset'
  | 'balance_requested'
  | 'grant_created'
  | 'grant_token_replaced'
  | 'grant_limits_raised'
  | 'grant_used_twice'
  | 'approval_rule_changed'
  | 'approval_rule_asked'
  | 'limits_raised'
  | 'own_role_changed'
  | 'request_policy_changed'
  | 'team_changed'
  | 'yearly_rule_changed';

/** For the mail to every admin. */
export interface AccessNoticeDetails {
  organization_name: string;
  change: AccessChange;
  /** Whom or what the change is about. */
  about: string;
  by: string;
  from: string;
  /** ISO 8601. */
  at: string;
}

/** What happened to a top-up. `bank_asks`: the card holder must confirm; `dispute`: a chargeback; `return`: of a bank transfer. */
export type TopupEvent = 'bank_asks' | 'failed' | 'switched_off' | 'refund' | 'dispute' | 'return';

/** In cents; null: no cap. */
interface CapAmounts {
  hour: number | null;
  day: number | null;
}

/** The code is sealed, as that of a sign-in. */
export interface RecipientCode {
  sealed_code: string;
  expires_minutes: number;
  channel: 'email' | 'phone';
  /** Of the page that asked for it; absent: English. */
  language?: Language;
}

export const mailLanguage = (language: Language): Pick<RecipientCode, 'language'> =>
  language === 'en' ? {} : { language };

/** A gift that a member asks for. The ids as `org_…` and `ask_…`. */
interface RequestDetails {
  organization_name: string;
  organization_id: string;
  environment: Environment;
  request_id: string;
  amount_cents: number;
  /** The member or the agent who asked, or the admin who decided. */
  by: string;
}

/** Gifts that a rule sends each year. The id as `org_…`; `rule`: its name. */
interface YearlyDetails {
  organization_name: string;
  organization_id: string;
  environment: Environment;
  rule: string;
  gifts: number;
}

/** Every kind of mail to a member, with its data; and codes for recipients, also as text messages. */
export type Notice =
  /** The code is encrypted, so that a copy of the database does not reveal it. */
  | { kind: 'sign_in_code'; details: { sealed_code: string; expires_minutes: number } }
  /** To an address that asks for its gifts. */
  | { kind: 'finder_code'; details: RecipientCode }
  /** To the recipient of a claimed gift. */
  | { kind: 'card_code'; details: RecipientCode }
  /** To the same, when an admin lets another browser show the card. */
  | { kind: 'card_reopened'; details: { hours: number } & Pick<RecipientCode, 'channel' | 'language'> }
  | {
      kind: 'member_invited';
      details: { organization_name: string; role: RoleId; by: string; must_accept?: boolean };
    }
  | { kind: 'key_created'; details: KeyNoticeDetails }
  | { kind: 'key_revoked'; details: KeyNoticeDetails }
  | { kind: 'access_changed'; details: AccessNoticeDetails }
  | { kind: 'key_rolled'; details: KeyNoticeDetails }
  | {
      kind: 'cap_raised';
      details: {
        organization_name: string;
        /** Null: the cap on all orders. */
        key_name: string | null;
        environment: Environment;
        before: CapAmounts;
        after: CapAmounts;
        by: string;
        from: string;
        at: string;
      };
    }
  | {
      kind: 'gifts_expire';
      details: {
        organization_name: string;
        expiring: {
          environment: Environment;
          gifts: number;
          amount_cents: number;
          /** ISO 8601. */
          first_expires_at: string;
        }[];
      };
    }
  | {
      kind: 'codes_low';
      /** Null category: all without an own issuer. */
      details: { organization_name: string; category: string | null; left: number; limit: number };
    }
  | {
      kind: 'funds_low';
      /** The issuer's kind; a null balance pays cards of other organizations too. */
      details: {
        organization_name: string;
        issuer: string;
        available_cents: number | null;
        unspent_cents: number;
        /** Then the cents are those of unclaimed gifts. */
        is_paid_at_claim?: boolean;
      };
    }
  | {
      kind: 'gift_held';
      /** The ids as `org_…` and `gift_…`. */
      details: { organization_name: string; organization_id: string; gift_id: string; amount_cents: number };
    }
  | {
      kind: 'gift_requested';
      details: RequestDetails & {
        /** Of an order or a batch. */
        gifts?: number;
        /** Whether an agent asks, whose name is in `by`. */
        is_agent?: true;
      };
    }
  | {
      kind: 'gift_request_decided';
      details: RequestDetails & { state: 'approved' | 'declined' | 'withdrawn'; reason: string | null };
    }
  | {
      kind: 'yearly_gifts_coming';
      details: YearlyDetails & { amount_cents: number; mode: 'approval' | 'sends' };
    }
  | {
      kind: 'yearly_gifts_waiting';
      /** A code of the errors, or `yearly_limit`. */
      details: YearlyDetails & { reason: string };
    }
  | {
      kind: 'webhook_failing';
      details: {
        organization_name: string;
        environment: Environment;
        /** Without its query. */
        url: string;
        /** ISO 8601. */
        failing_since: string;
        /** `gone`: the endpoint answered 410. */
        state: 'failing' | 'disabled' | 'gone';
      };
    }
  | {
      kind: 'topup';
      details: {
        organization_name: string;
        /** `org_…`. */
        organization_id: string;
        event: TopupEvent;
        amount_cents: number;
        /** Brand and last four digits. */
        card?: string;
      };
    }
  | {
      kind: 'balance_low';
      details: {
        organization_name: string;
        environment: Environment;
        balance_cents: number;
        threshold_cents: number;
      };
    };

export type NoticeKind = Notice['kind'];
