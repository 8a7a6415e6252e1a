import { ApiError } from '../../api/client.ts';
import { TextField } from '../../ui/field.tsx';

const MOST_LETTERS = 100;

/** The server's sentence about the name, which it repeats. */
export const nameFaultOf = (error: Error | null, name: string): string | undefined =>
  error instanceof ApiError && (error.param === 'name' || error.message.includes(`“${name}”`))
    ? error.message
    : undefined;

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  /** Its refusal is about the name that was sent. */
  saving: { error: Error | null; reset: () => void };
}

/** The name of a team or an own role. */
export const NameField = ({ value, onChange, saving }: NameFieldProps) => (
  <TextField
    label="Name"
    value={value}
    onChange={(name) => {
      saving.reset();
      onChange(name);
    }}
    error={nameFaultOf(saving.error, value.trim())}
    maxLength={MOST_LETTERS}
    autoComplete="off"
  />
);
