import type { StripeDeps } from '../stripe/open-stripe.ts';
import { requireCustomer } from './customer.ts';
import { requireStripe } from './require-stripe.ts';

/** The country of the virtual account, by currency; a currency that is not here has no bank transfers. */
const transfers = {
  usd: { type: 'us_bank_transfer' },
  eur: { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'DE' } },
  gbp: { type: 'gb_bank_transfer' },
} as const;

/** The lines of an account, as people copy them. */
type BankAccount = { label: string; value: string }[];

export const hasBankTransfers = (currency: string): currency is keyof typeof transfers => currency in transfers;

/** The organization's virtual account: each transfer to it becomes a top-up. @param organizationId UUID */
export async function showBankAccount(
  deps: Pick<StripeDeps, 'clock' | 'config' | 'database' | 'stripe'>,
  organizationId: string,
): Promise<BankAccount | undefined> {
  const { client, currency } = requireStripe(deps);
  if (!hasBankTransfers(currency)) return undefined;
  const customer = await requireCustomer(deps, organizationId);
  const { bank_transfer } = await client.customers.createFundingInstructions(customer, {
    currency,
    funding_type: 'bank_transfer',
    bank_transfer: transfers[currency],
  });
  const [address] = bank_transfer.financial_addresses;
  const { aba, iban, sort_code } = address ?? {};
  if (aba !== undefined)
    return [
      { label: 'Account holder', value: aba.account_holder_name },
      { label: 'Bank', value: aba.bank_name },
      { label: 'Routing number', value: aba.routing_number },
      { label: 'Account number', value: aba.account_number },
    ];
  if (iban !== undefined)
    return [
      { label: 'Account holder', value: iban.account_holder_name },
      { label: 'IBAN', value: iban.iban },
      { label: 'BIC', value: iban.bic },
    ];
  if (sort_code !== undefined)
    return [
      { label: 'Account holder', value: sort_code.account_holder_name },
      { label: 'Sort code', value: sort_code.sort_code },
      { label: 'Account number', value: sort_code.account_number },
    ];
  return undefined;
}
