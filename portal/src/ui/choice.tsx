interface ChoiceProps<Value extends string> {
  label: string;
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

/** A switch between a few ways of showing the same thing. The chosen one stands 3 : 1 or more against the track. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="inline-flex rounded-full bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {(Object.keys(options) as Value[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={value === one}
          onClick={() => onChange(one)}
          className="rounded-full px-3 py-0.5 text-sm leading-6 font-semibold text-soft hover:text-ink aria-pressed:bg-accent aria-pressed:text-on-accent"
        >
          {options[one]}
        </button>
      ))}
    </fieldset>
  );
}
