import { Fragment } from 'react';
import { useScope } from '../api/use-scope.ts';

/** Whom to ask about the service, with the contact that its settings name. */
export function Operator({ startsSentence = false }) {
  const { name = null, email = null, url = null } = useScope().me.service.operator ?? {};
  const addresses = [
    ...(email === null ? [] : [{ href: `mailto:${email}`, text: email }]),
    ...(url === null ? [] : [{ href: url, text: url.replace(/^https?:\/\//, '').replace(/\/$/, '') }]),
  ];
  return (
    <>
      {name ?? `${startsSentence ? 'The' : 'the'} operator of this service`}
      {addresses.length > 0 && ' ('}
      {addresses.map(({ href, text }, place) => (
        <Fragment key={href}>
          {place > 0 && ', '}
          <a href={href} rel="noreferrer" className="font-semibold wrap-anywhere underline">
            {text}
          </a>
        </Fragment>
      ))}
      {addresses.length > 0 && ')'}
    </>
  );
}
