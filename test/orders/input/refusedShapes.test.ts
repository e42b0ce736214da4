import { refusalsOfShape } from './refusals';
import { wrong } from './shapes';

it.each(Object.keys(wrong) as (keyof typeof wrong)[])(
  'a field that is a %s is refused',
  (shape) => {
    expect(refusalsOfShape(shape)).toMatchSnapshot();
  },
);
