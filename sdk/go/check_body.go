package bestow

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"unicode/utf8"
)

// checkBody refuses what would be sent as something else: a text that is not UTF-8, and an empty list that JSON would leave
// out, so that it means all. The path is of the field, such as Gifts[0].ExternalID.
func checkBody(path string, value reflect.Value) error {
	switch value.Kind() {
	case reflect.String:
		return checkText(path, value.String())
	case reflect.Pointer, reflect.Interface:
		return checkBody(path, value.Elem())
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for index := range value.Len() {
			if err := checkBody(fmt.Sprintf("%s[%d]", path, index), value.Index(index)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			key := entries.Key().String()
			if err := errors.Join(checkText("a key of "+path, key), checkBody(path+"."+key, entries.Value())); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return checkFields(path, value)
	}
	return nil
}

func checkFields(path string, value reflect.Value) error {
	for index := range value.NumField() {
		field, one := value.Type().Field(index), value.Field(index)
		if !field.IsExported() {
			continue
		}
		name := strings.TrimPrefix(path+"."+field.Name, ".")
		isOurs := value.Type().PkgPath() == reflect.TypeFor[Client]().PkgPath()
		isEmpty := isOurs && one.Kind() == reflect.Slice && !one.IsNil() && one.Len() == 0
		if isEmpty && strings.HasSuffix(field.Tag.Get("json"), ",omitempty") {
			return fmt.Errorf("bestow: %s is an empty list; nil stands for all", name)
		}
		if err := checkBody(name, one); err != nil {
			return err
		}
	}
	return nil
}

func checkText(name, text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	return fmt.Errorf("bestow: %s is not UTF-8", name)
}

// checkQuery refuses a parameter that is not UTF-8.
func checkQuery(values url.Values) error {
	for name, texts := range values {
		if err := checkText(strings.ToValidUTF8(name, "?"), name+strings.Join(texts, "")); err != nil {
			return err
		}
	}
	return nil
}
