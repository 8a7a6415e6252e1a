module bestow.example/bestow

go 1.23
